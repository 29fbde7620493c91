#!/usr/bin/env bash
# Installs what tests drive: compilers, QEMU and build tools for the generated C, Chromium for the HTML report.
# Debian or Ubuntu, as root or with sudo.
set -euo pipefail

packages=(
  make cmake ninja-build
  gcc g++ libc6-dev clang cppcheck
  gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
  zsh fish groff-base diffutils patch libxml2-utils
  chromium
)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "compilers, QEMU and Chromium are installed"
  exit 0
fi

sudo=()
if [ "$(id -u)" -ne 0 ]; then sudo=(sudo); fi
echo "installing: ${missing[*]}"
"${sudo[@]}" apt-get update -qq
# Without recommendations it is 360 MB to download; with them far more.
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
