# Finds the libraries of the tests. With MEGADAPT_TESTS=AUTO the tests are left out where one is
# missing; with ON that is an error.
find_package(PkgConfig REQUIRED)
find_package(GTest QUIET)
find_package(rapidcheck QUIET)
pkg_check_modules(lbfgs QUIET IMPORTED_TARGET liblbfgs)

set(missing "")
foreach(library GTest::gmock_main rapidcheck PkgConfig::lbfgs)
  if(NOT TARGET ${library})
    list(APPEND missing ${library})
  endif()
endforeach()
if(missing AND MEGADAPT_TESTS STREQUAL "AUTO")
  message(STATUS "Tests: not built, there is no ${missing}")
  set(MEGADAPT_TESTS OFF)
elseif(missing)
  message(FATAL_ERROR "the tests need ${missing}: scripts/setup test installs it")
endif()
