# -DMEGADAPT_SANITIZE=address,undefined builds all our sources with these sanitizers.
add_library(megadapt_sanitizers INTERFACE)
if(MEGADAPT_SANITIZE)
  target_compile_options(megadapt_sanitizers INTERFACE
    -fsanitize=${MEGADAPT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_definitions(megadapt_sanitizers INTERFACE MEGADAPT_SANITIZED)
  target_link_options(megadapt_sanitizers INTERFACE -fsanitize=${MEGADAPT_SANITIZE})
endif()
