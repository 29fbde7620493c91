#!/usr/bin/env bash
# Installs onnxruntime-node, the oracle of the shape and value tests, into a folder of its own (it is no dependency).
set -euo pipefail
cd "$(dirname "$0")/.."
version=1.30.0
folder=.cache/oracle
if [ "$(node -p "try{require('./$folder/node_modules/onnxruntime-node/package.json').version}catch{''}")" != "$version" ]; then
  mkdir -p "$folder"
  # Its install script would download an accelerated build; the CPU library is inside the package.
  npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts "onnxruntime-node@$version"
fi
node -e "require('./$folder/node_modules/onnxruntime-node')" && echo "onnxruntime-node $version"
