# cmake --install: the library, its headers and the package for find_package(megadapt). The
# program, its manual page and its completion are installed by src/cli.
include(CMakePackageConfigHelpers)

set(megadapt_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/megadapt)

install(TARGETS megadapt EXPORT megadaptTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/megadapt
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT megadaptTargets NAMESPACE megadapt:: DESTINATION ${megadapt_package_dir})

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/megadaptConfig.cmake.in
  ${PROJECT_BINARY_DIR}/megadaptConfig.cmake
  INSTALL_DESTINATION ${megadapt_package_dir})
# Before 1.0 every minor version may change the API.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/megadaptConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/megadaptConfig.cmake
              ${PROJECT_BINARY_DIR}/megadaptConfigVersion.cmake
        DESTINATION ${megadapt_package_dir})

# pkg-config finds the prefix from the place of its file, so an installed copy may be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
           BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE megadapt_pc_prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/megadapt.pc.in ${PROJECT_BINARY_DIR}/megadapt.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/megadapt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
