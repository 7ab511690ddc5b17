# The library is compiled in units of several sources, because the headers they share cost more
# than the sources themselves. Names in the anonymous namespaces of one unit must differ.

# Sanitizer builds optimise these units alone, which have the long loops over numbers. The others
# compile in less than half the time when they are not optimised.
set(numeric_units decoding evaluation_scores execution mega models optimize words)

# megadapt_sources(UNIT SOURCES...): sources of the library that are compiled together.
function(megadapt_sources unit)
  if(MEGADAPT_SANITIZE AND NOT unit IN_LIST numeric_units)
    megadapt_text_sources(${unit} ${ARGN})
    return()
  endif()
  target_sources(megadapt PRIVATE ${ARGN})
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY megadapt PROPERTY UNITY_GROUP ${unit})
endfunction()

# megadapt_text_sources(UNIT SOURCES...): the same for sources that read options and write
# reports. They do their work once a run, so they are optimised little and compile quicker.
function(megadapt_text_sources unit)
  target_sources(megadapt_text PRIVATE ${ARGN})
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY megadapt_text PROPERTY UNITY_GROUP ${unit})
endfunction()
