# memplan_generate(<target> MODEL <file> CHIP <name or file> [NAME <base>] [OPTIONS <option>...])
#
# Plans the model while building, and gives the C of the plan to a target: its source, and the folder of its header.
# Nothing is built anew unless the model, a file with weights, the target file or the configuration changes, and only
# what depends on a file whose bytes change. CMake 3.20 or later, with Ninja or Makefiles.
set(MEMPLAN_COMMAND npx memplan CACHE STRING "How memplan is started")
set(_memplan_folder "${CMAKE_CURRENT_LIST_DIR}")

function(memplan_generate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MODEL;CHIP;NAME" "OPTIONS")
  if(NOT arg_MODEL OR NOT arg_CHIP)
    message(FATAL_ERROR "memplan_generate needs MODEL and CHIP")
  endif()
  if(NOT arg_NAME)
    set(arg_NAME tensor_memory_pool)
  endif()
  get_filename_component(model "${arg_MODEL}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  set(chip "${arg_CHIP}")
  if(chip MATCHES "\\.json$")
    get_filename_component(chip "${chip}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  set(out "${CMAKE_CURRENT_BINARY_DIR}/memplan/${target}")
  set(stamp "${out}/${arg_NAME}.stamp")
  set(generated "${out}/${arg_NAME}.h" "${out}/${arg_NAME}.c")

  add_custom_command(
    OUTPUT "${stamp}"
    BYPRODUCTS ${generated}
    COMMAND ${MEMPLAN_COMMAND} "${model}" --target "${chip}" --name "${arg_NAME}" --out "${out}"
            --depfile "${out}/${arg_NAME}.d" --stamp "${stamp}" ${arg_OPTIONS} --quiet
    DEPFILE "${out}/${arg_NAME}.d"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    COMMENT "Planning the memory of ${target}"
    VERBATIM)
  add_custom_target(memplan_${target} DEPENDS "${stamp}")
  if(CMAKE_GENERATOR MATCHES "Makefiles")
    # Ninja sees that a generated file was deleted; make has to be told.
    add_custom_target(memplan_${target}_missing
      COMMAND "${CMAKE_COMMAND}" "-DSTAMP=${stamp}" "-DFILES=${generated}" -P "${_memplan_folder}/MemplanMissing.cmake"
      VERBATIM)
    add_dependencies(memplan_${target} memplan_${target}_missing)
  endif()
  add_dependencies(${target} memplan_${target})
  set_source_files_properties(${generated} PROPERTIES GENERATED TRUE)
  target_sources(${target} PRIVATE ${generated})
  target_include_directories(${target} PRIVATE "${out}")
endfunction()
