# MEGADAPT_BUNDLE: the program and the Python extension run where none of the libraries below
# is installed. Debian has most of them as static libraries; fmt is compiled in from its
# headers, and the shared oneTBB lies in lib/ beside what was built.
#
# This file defines the targets that find_package and pkg-config define for other builds.
find_package(TBB REQUIRED)
set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB REQUIRED)
set(OPENSSL_USE_STATIC_LIBS ON)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)

# Debian has no static fmt, but all of its code is in the headers.
add_library(megadapt_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/bundled_fmt.cpp)
target_compile_features(megadapt_fmt PRIVATE cxx_std_20)
target_compile_definitions(megadapt_fmt PUBLIC FMT_SHARED)  # as in other builds
set_target_properties(megadapt_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_library(fmt::fmt ALIAS megadapt_fmt)

function(static_library target name)
  find_library(${name}_static lib${name}.a REQUIRED)
  add_library(${target} STATIC IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${${name}_static})
endfunction()
static_library(PkgConfig::zstd zstd)
static_library(stemmer stemmer)
static_library(PkgConfig::icu icuuc)
target_link_libraries(PkgConfig::icu INTERFACE megadapt_icu_data ${CMAKE_DL_LIBS} m)

# ICU has 30 MB of data. Only break iterators read any of it here: 4 MB.
function(cut_icu_data output)
  find_library(icu_data_static libicudata.a REQUIRED)
  find_program(ICUPKG icupkg REQUIRED)
  set(whole ${CMAKE_CURRENT_BINARY_DIR}/icu/icudt${icu_major}l.dat)
  set(object ${whole}.o)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/icu/cut)
  execute_process(COMMAND ${CMAKE_AR} p ${icu_data_static} OUTPUT_FILE ${object}
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_OBJCOPY} -O binary --only-section=.rodata ${object} ${whole}
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${ICUPKG} -l ${whole} OUTPUT_VARIABLE items
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" items "${items}")
  list(FILTER items EXCLUDE REGEX
       "^(brkitr/.*|(pool|root|res_index|likelySubtags|metadata)[.]res)$")
  list(JOIN items "\n" removed)
  file(WRITE ${object}.lst "${removed}\n")
  execute_process(COMMAND ${ICUPKG} --remove ${object}.lst ${whole} ${output}
                  COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${object} ${whole})
endfunction()
file(STRINGS /usr/include/unicode/uvernum.h icu_major REGEX "define U_ICU_VERSION_MAJOR_NUM ")
string(REGEX MATCH "[0-9]+" icu_major "${icu_major}")
set(icu_data ${CMAKE_CURRENT_BINARY_DIR}/icu/cut/icudt${icu_major}l.dat)  # icupkg checks the name
if(NOT EXISTS ${icu_data})
  cut_icu_data(${icu_data})
endif()
file(CONFIGURE OUTPUT icu/icu_data.cpp @ONLY CONTENT [[
// The data of ICU under the name by which ICU looks for it.
asm(".pushsection .rodata\n.global icudt@icu_major@_dat\n.balign 16\nicudt@icu_major@_dat:\n"
    ".incbin \"@icu_data@\"\n.popsection\n");

// Debian's static ICU is made for programs: a shared object cannot link its references to
// variables of libc. They lead here instead. ICU reads them for time zones, which nobody uses.
extern "C" {
__attribute__((visibility("hidden"))) long __timezone = 0;
__attribute__((visibility("hidden"))) char* tzname[2] = {nullptr, nullptr};
}
]])
add_library(megadapt_icu_data STATIC ${CMAKE_CURRENT_BINARY_DIR}/icu/icu_data.cpp)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/icu/icu_data.cpp
                            PROPERTIES OBJECT_DEPENDS ${icu_data})

set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")  # of programs in bin/

# Another copy of one of these libraries in the same process must not see our symbols.
add_link_options(LINKER:--exclude-libs,ALL LINKER:--gc-sections)

# bundled_file(COMPONENT FOLDER NAME FILE): installs FILE as FOLDER/NAME.
function(bundled_file component folder name file)
  set(choice "")
  if(component STREQUAL "python")
    set(folder megadapt/${folder})
    set(choice EXCLUDE_FROM_ALL)
  endif()
  if(NOT file MATCHES "^[$]")
    file(REAL_PATH ${file} file)  # the file that a link leads to
  endif()
  install(FILES ${file} DESTINATION ${folder} RENAME ${name} COMPONENT ${component} ${choice})
endfunction()

# The licences of all that is linked in, and the texts that they refer to.
set(bundled_packages libboost1.74-dev libcli11-dev libfmt-dev libicu-dev libssl-dev
  libstdc++6 libstemmer-dev libtbb-dev libxxhash-dev libzstd-dev nlohmann-json3-dev
  node-d3-array node-d3-color node-d3-format node-d3-interpolate node-d3-path node-d3-scale
  node-d3-shape node-d3-time node-d3-time-format pybind11-dev zlib1g-dev)
set(licence_texts "")
foreach(package ${bundled_packages})
  set(file /usr/share/doc/${package}/copyright)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "a bundle contains ${package}, but there is no ${file}")
  endif()
  file(STRINGS ${file} named REGEX "/usr/share/common-licenses/[A-Z]")
  string(REGEX MATCHALL "/usr/share/common-licenses/[A-Z][A-Za-z0-9.-]*[A-Za-z0-9]"
         named "${named}")
  list(APPEND licence_texts ${named})
endforeach()
list(REMOVE_DUPLICATES licence_texts)

foreach(component archive python)
  bundled_file(${component} lib libtbb.so.12 $<TARGET_FILE:TBB::tbb>)
  bundled_file(${component} licences megadapt ${PROJECT_SOURCE_DIR}/LICENSE)
  foreach(package ${bundled_packages})
    bundled_file(${component} licences ${package} /usr/share/doc/${package}/copyright)
  endforeach()
  foreach(text ${licence_texts})
    cmake_path(GET text FILENAME name)
    bundled_file(${component} licences/texts ${name} ${text})
  endforeach()
endforeach()

# oneTBB passes exceptions between threads, so it must share the C++ runtime with the program.
# The archive therefore brings the shared one; a Python process has one already.
foreach(name libstdc++.so.6 libgcc_s.so.1)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${name}
                  OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
  bundled_file(archive lib ${name} ${file})
endforeach()
