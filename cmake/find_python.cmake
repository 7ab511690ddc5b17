# Finds an interpreter that can import numpy and scikit-learn, its headers, and pybind11.
# The first python3 on PATH may lack them, so Debian's own is tried as well.
#
# Sets MEGADAPT_PYTHON_FOUND. With MEGADAPT_PYTHON=ON, a missing part is an error.
set(MEGADAPT_PYTHON_FOUND FALSE)

function(python_can_import interpreter result)
  execute_process(COMMAND ${interpreter} -c
    "import sys, numpy, sklearn; print(sys.version.split()[0], 'with scikit-learn', sklearn.__version__)"
    RESULT_VARIABLE failed OUTPUT_VARIABLE version ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed EQUAL 0)
    set(${result} ${version} PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()

function(python_is_missing what)
  if(MEGADAPT_PYTHON STREQUAL "AUTO")
    message(STATUS "Python package: not built, there is no ${what}")
  else()
    message(FATAL_ERROR "the Python package needs ${what}: scripts/setup installs it")
  endif()
endfunction()

if(NOT Python_EXECUTABLE)
  find_program(megadapt_first_python python3)
  foreach(candidate ${megadapt_first_python} /usr/bin/python3)
    python_can_import(${candidate} version)
    if(version)
      set(Python_EXECUTABLE ${candidate} CACHE FILEPATH "The interpreter to build for")
      break()
    endif()
  endforeach()
else()
  python_can_import(${Python_EXECUTABLE} version)
endif()
if(NOT version)
  python_is_missing("interpreter that imports numpy and sklearn")
  return()
endif()

find_package(Python QUIET COMPONENTS Interpreter Development.Module)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 QUIET CONFIG)
if(NOT Python_Development.Module_FOUND OR NOT pybind11_FOUND)
  python_is_missing("python3-dev or pybind11-dev")
  return()
endif()
set(MEGADAPT_PYTHON_FOUND TRUE)
message(STATUS "Python package: built for ${Python_EXECUTABLE}, ${version}")
