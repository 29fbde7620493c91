#!/usr/bin/env bash
# Installs what drives and judges the HTML report in Chromium (scripts/install-toolchain.sh installs that) into a folder
# of its own: playwright-core and axe-core are no dependencies.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=(playwright-core@1.65.1 axe-core@4.14.1)
folder=.cache/browser
for package in "${packages[@]}"; do
  name=${package%@*}
  if [ "$(node -p "try{require('./$folder/node_modules/$name/package.json').version}catch{''}")" != "${package##*@}" ]; then
    mkdir -p "$folder"
    npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts "${packages[@]}"
    break
  fi
done
node -e "require('./$folder/node_modules/playwright-core'); require('./$folder/node_modules/axe-core')"
echo "${packages[*]}"
