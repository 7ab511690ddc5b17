# Warnings are errors for our own sources; consumers do not inherit them.
add_library(megadapt_warnings INTERFACE)
target_compile_options(megadapt_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
  -Wcast-align -Wunused -Wimplicit-fallthrough -Werror)
