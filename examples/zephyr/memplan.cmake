# memplan_zephyr_library(): plans CONFIG_MEMPLAN_MODEL for the memory of the chosen node memplan,arena, and makes a library
# of the plan's C, `memplan`. The application includes its headers. When all is linked, memplan checks the firmware.
#
# The chip is described to memplan by a target file that this writes: the memory from the devicetree, the core from
# Kconfig. Zephyr's linker script has a region and a section for each such memory, both of the name that
# `zephyr,memory-region` says; the section has no bytes in the flash image.
cmake_minimum_required(VERSION 3.20)

function(memplan_zephyr_library)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/memplan")
  memplan_zephyr_target("${out}/chip.json" region)

  set(stamp "${out}/plan.stamp")
  set(sources "${out}/tensor_memory_pool.c")
  set(headers "${out}/tensor_memory_pool.h")
  set(emit h,c,json)
  if(CONFIG_MEMPLAN_RUNNER)
    string(APPEND emit ,runner)
    foreach(part runner weights kernels)
      list(APPEND sources "${out}/tensor_memory_pool_${part}.c")
    endforeach()
    list(APPEND headers "${out}/tensor_memory_pool_runner.h" "${out}/tensor_memory_pool_weights.h")
  endif()
  if(CONFIG_MEMPLAN_POOL)
    string(APPEND emit ,pool)
    list(APPEND sources "${out}/tensor_pool.c")
  endif()

  memplan_zephyr_text(command CONFIG_MEMPLAN_COMMAND)
  memplan_zephyr_text(options CONFIG_MEMPLAN_OPTIONS)
  memplan_zephyr_text(model CONFIG_MEMPLAN_MODEL)
  separate_arguments(command UNIX_COMMAND "${command}")
  separate_arguments(options UNIX_COMMAND "${options}")
  get_filename_component(model "${model}" ABSOLUTE BASE_DIR "${APPLICATION_SOURCE_DIR}")
  add_custom_command(
    OUTPUT "${stamp}"
    BYPRODUCTS ${sources} ${headers} "${out}/plan.json"
    COMMAND ${command} "${model}" --target "${out}/chip.json" --section "${region}=${region}" ${options}
            --emit ${emit} --out "${out}" --depfile "${out}/plan.d" --stamp "${stamp}" --quiet
    DEPFILE "${out}/plan.d"
    DEPENDS "${out}/chip.json"
    WORKING_DIRECTORY "${APPLICATION_SOURCE_DIR}"
    COMMENT "Planning the memory of ${model}"
    VERBATIM)
  add_custom_target(memplan_plan DEPENDS "${stamp}")

  zephyr_library_named(memplan)
  zephyr_library_sources(${sources})
  zephyr_library_include_directories("${out}")
  # A multiplication and an addition that became one instruction would round differently.
  zephyr_library_cc_option(-ffp-contract=off)
  add_dependencies(memplan memplan_plan)

  target_include_directories(app PRIVATE "${out}")
  add_dependencies(app memplan_plan)

  if(CONFIG_MEMPLAN_CHECK)
    set(elf "${ZEPHYR_BINARY_DIR}/${KERNEL_ELF_NAME}")
    set_property(GLOBAL APPEND PROPERTY extra_post_build_commands
      COMMAND ${command} check-elf "${elf}" --plan "${out}/plan.json" --quiet)
  endif()
endfunction()

# A text of Kconfig as it was typed: Zephyr leaves a \ before each " and \ in it.
function(memplan_zephyr_text result name)
  string(REGEX REPLACE "\\\\(.)" "\\1" text "${${name}}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Writes the target file, and says the name of the region.
function(memplan_zephyr_target file region_var)
  dt_chosen(node PROPERTY "memplan,arena")
  if(NOT DEFINED node)
    message(FATAL_ERROR "memplan: the devicetree has no chosen node memplan,arena")
  endif()
  dt_prop(name PATH "${node}" PROPERTY "zephyr,memory-region")
  if(NOT DEFINED name)
    message(FATAL_ERROR "memplan: ${node} has no zephyr,memory-region")
  endif()
  dt_node_has_status(used PATH "${node}" STATUS okay)
  if(NOT used)
    message(FATAL_ERROR "memplan: ${node} is disabled: the linker script has no region ${name}")
  endif()
  dt_reg_addr(origin PATH "${node}")
  dt_reg_size(size PATH "${node}")
  memplan_zephyr_apart("${node}" "${origin}" "${size}")

  # Zephyr names linker regions after the property, with _ for what is no letter or digit.
  string(MAKE_C_IDENTIFIER "${name}" region)
  memplan_zephyr_memory(memory "${node}")
  memplan_zephyr_cpu(cpu)
  string(REPLACE "/" "-" id "${BOARD}${BOARD_QUALIFIERS}")
  set(lines
    "{ \"id\": \"${id}\", \"cpu\": { ${cpu} }, \"main\": \"${region}\", \"stack\": null,"
    "  \"regions\": [{ \"name\": \"${region}\", \"origin\": \"${origin}\", \"size\": \"${size}\", ${memory} }] }"
    "")
  list(JOIN lines "\n" description)
  file(CONFIGURE OUTPUT "${file}" CONTENT "${description}" @ONLY)
  set(${region_var} "${region}" PARENT_SCOPE)
endfunction()

# Ordinary data begins where zephyr,sram begins: an arena there would share its bytes.
function(memplan_zephyr_apart node origin size)
  dt_chosen(sram PROPERTY "zephyr,sram")
  if(NOT DEFINED sram)
    return()
  endif()
  dt_reg_addr(sram_origin PATH "${sram}")
  dt_reg_size(sram_size PATH "${sram}")
  math(EXPR end "${origin} + ${size}")
  math(EXPR sram_end "${sram_origin} + ${sram_size}")
  math(EXPR origin "${origin}")
  math(EXPR sram_origin "${sram_origin}")
  if(origin LESS sram_end AND sram_origin LESS end)
    message(FATAL_ERROR "memplan: ${node} lies in ${sram}, where zephyr,sram puts all other data: "
      "choose another memory, or make that one smaller")
  endif()
endfunction()

# What the node says about its kind, and whether it is cached.
function(memplan_zephyr_memory result node)
  dt_prop(compatible PATH "${node}" PROPERTY "compatible")
  dt_prop(attributes PATH "${node}" PROPERTY "zephyr,memory-attr")
  set(kind sram)
  set(cached "")
  if("arm,dtcm" IN_LIST compatible)
    set(kind dtcm)
    set(cached false)
  elseif("${attributes}" MATCHES "^[0-9]+$")
    # DT_MEM_CACHEABLE, and DT_MEM_ARM_MPU_RAM_NOCACHE
    math(EXPR cacheable "${attributes} & 0x1")
    math(EXPR nocache "${attributes} & 0x200000")
    if(cacheable)
      set(cached true)
    elseif(CONFIG_ARM AND nocache)
      set(cached false)
    endif()
  endif()
  set(text "\"kind\": \"${kind}\"")
  if(NOT cached STREQUAL "")
    string(APPEND text ", \"cacheable\": ${cached}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The core, its vector unit and its data cache. What is not said here memplan knows from the core.
function(memplan_zephyr_cpu result)
  set(core "${CONFIG_ARCH}")
  foreach(one M0 M0PLUS M1 M3 M4 M7 M23 M33 M52 M55 M85 R4 R5 R7 R8 R52 R82 A7 A9 A53 A55 A57 A72 A76 A78)
    if(CONFIG_CPU_CORTEX_${one})
      string(TOLOWER "cortex-${one}" core)
    endif()
  endforeach()
  set(text "\"core\": \"${core}\"")
  if(CONFIG_CPU_CORTEX_M)
    # Compilers have vectors where they may use the registers of the FPU.
    set(build scalar)
    if(CONFIG_ARMV8_1_M_MVEI AND CONFIG_FPU)
      set(build mve)
    elseif(CONFIG_ARMV8_M_DSP OR CONFIG_CPU_CORTEX_M4 OR CONFIG_CPU_CORTEX_M7)
      set(build dsp)
    endif()
    string(APPEND text ", \"cmsisNnBuild\": \"${build}\"")
  endif()
  if(CONFIG_DCACHE AND CONFIG_CPU_HAS_DCACHE)
    string(APPEND text ", \"dcache\": true")
    if(CONFIG_DCACHE_LINE_SIZE)
      string(APPEND text ", \"dcacheLineBytes\": ${CONFIG_DCACHE_LINE_SIZE}")
    elseif(CONFIG_CPU_CORTEX_M)
      string(APPEND text ", \"dcacheLineBytes\": 32")
    endif()
  elseif(NOT CONFIG_DCACHE)
    string(APPEND text ", \"dcache\": false")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
