# memplan_zephyr_generate(<target>): plans CONFIG_MEMPLAN_MODEL for the memory of the chosen node memplan,arena.
#
# The memory is described to memplan by a target file that this writes from the devicetree: address and size from `reg`,
# the name from `zephyr,memory-region`. Zephyr makes a linker region of that name and puts sections of that name there,
# without bytes in the flash image.
function(memplan_zephyr_generate target)
  dt_chosen(node PROPERTY "memplan,arena")
  if(NOT DEFINED node)
    message(FATAL_ERROR "memplan: the devicetree has no chosen node memplan,arena")
  endif()
  dt_reg_addr(origin PATH "${node}")
  dt_reg_size(size PATH "${node}")
  dt_prop(region PATH "${node}" PROPERTY "zephyr,memory-region")
  if(NOT DEFINED region)
    message(FATAL_ERROR "memplan: ${node} has no zephyr,memory-region")
  endif()
  # Zephyr names linker regions after the property, with _ for what is no letter or digit.
  string(MAKE_C_IDENTIFIER "${region}" region)

  set(out "${CMAKE_CURRENT_BINARY_DIR}/memplan")
  set(chip "${out}/chip.json")
  set(description "{ \"id\": \"${BOARD}\", \"cpu\": { \"core\": \"cortex-m\" }, \"main\": \"${region}\",\n")
  string(APPEND description
    "  \"regions\": [{ \"name\": \"${region}\", \"origin\": \"${origin}\", \"size\": \"${size}\", \"kind\": \"sram\" }] }\n")
  file(CONFIGURE OUTPUT "${chip}" CONTENT "${description}" @ONLY)

  set(stamp "${out}/plan.stamp")
  set(generated "${out}/tensor_memory_pool.h" "${out}/tensor_memory_pool.c")
  separate_arguments(command UNIX_COMMAND "${CONFIG_MEMPLAN_COMMAND}")
  separate_arguments(options UNIX_COMMAND "${CONFIG_MEMPLAN_OPTIONS}")
  get_filename_component(model "${CONFIG_MEMPLAN_MODEL}" ABSOLUTE BASE_DIR "${APPLICATION_SOURCE_DIR}")
  add_custom_command(
    OUTPUT "${stamp}"
    BYPRODUCTS ${generated}
    COMMAND ${command} "${model}" --target "${chip}" --section "${region}=${region}" --out "${out}"
            --depfile "${out}/plan.d" --stamp "${stamp}" ${options} --quiet
    DEPFILE "${out}/plan.d"
    DEPENDS "${chip}"
    WORKING_DIRECTORY "${APPLICATION_SOURCE_DIR}"
    VERBATIM)
  add_custom_target(memplan_${target} DEPENDS "${stamp}")
  add_dependencies(${target} memplan_${target})
  set_source_files_properties(${generated} PROPERTIES GENERATED TRUE)
  target_sources(${target} PRIVATE ${generated})
  target_include_directories(${target} PRIVATE "${out}")
endfunction()
