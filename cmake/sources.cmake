# The library is compiled in units of several sources, because the headers they share cost more
# than the sources themselves. Names in the anonymous namespaces of one unit must differ.

# megadapt_sources(UNIT SOURCES...): sources of the library that are compiled together.
function(megadapt_sources unit)
  target_sources(megadapt PRIVATE ${ARGN})
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY megadapt PROPERTY UNITY_GROUP ${unit})
endfunction()

# megadapt_text_sources(UNIT SOURCES...): the same for sources that read options and write
# reports. They do their work once a run, so they are optimised little and compile quicker.
function(megadapt_text_sources unit)
  target_sources(megadapt_text PRIVATE ${ARGN})
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY megadapt_text PROPERTY UNITY_GROUP ${unit})
endfunction()
