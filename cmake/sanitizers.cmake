# -DMEGADAPT_SANITIZE=address,undefined builds all our sources with these sanitizers.
add_library(megadapt_sanitizers INTERFACE)
if(MEGADAPT_SANITIZE)
  target_compile_options(megadapt_sanitizers INTERFACE
    -fsanitize=${MEGADAPT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_definitions(megadapt_sanitizers INTERFACE MEGADAPT_SANITIZED)
  target_link_options(megadapt_sanitizers INTERFACE -fsanitize=${MEGADAPT_SANITIZE})
  if(MEGADAPT_SANITIZE MATCHES "thread")
    target_compile_definitions(megadapt_sanitizers INTERFACE MEGADAPT_SANITIZED_THREADS)
  endif()
  if(MEGADAPT_SANITIZE MATCHES "address")
    # Programs at a fixed address start in two thirds of the time, and tests start thousands.
    target_link_options(megadapt_sanitizers INTERFACE
      $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
  # Instrumented programs are large; lld links them in a fraction of the time.
  find_program(MEGADAPT_LLD ld.lld)
  if(MEGADAPT_LLD)
    target_link_options(megadapt_sanitizers INTERFACE -fuse-ld=lld)
  endif()
endif()

# With -DMEGADAPT_FUZZ=ON the library and the server count the code that an input reaches, which
# libFuzzer needs to choose inputs. Tests and the command line do without: they compile quicker.
add_library(megadapt_coverage INTERFACE)
if(MEGADAPT_FUZZ)
  target_compile_options(megadapt_coverage INTERFACE
    -fsanitize-coverage=inline-8bit-counters,pc-table)
endif()
