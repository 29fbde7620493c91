// The rules of docs/architecture.md: imports go down only.
const layer = (path) => `^src/${path}`;
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: [from, ...allowed] },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['\\.d\\.ts$', '^src/(main|index)\\.ts$'] },
      to: {},
    },
    only('errors-know-nothing', '^src/errors\\.ts$', []),
    only('graph-is-the-floor', layer('graph/'), ['^src/errors\\.ts$']),
    only('planner-stands-alone', layer('planner/'), ['^src/errors\\.ts$']),
    only('verify-shares-nothing-with-the-planner', layer('verify/'), [
      '^src/errors\\.ts$',
      layer('plan/(types|hash)\\.ts$'),
      layer('planner/types\\.ts$'),
      layer('graph/'),
    ]),
    only('ops-look-down', layer('ops/'), ['^src/errors\\.ts$', layer('graph/')]),
    only('shape-looks-down', layer('shape/'), ['^src/errors\\.ts$', layer('graph/'), layer('ops/')]),
    only('fuse-looks-down', layer('fuse/'), [
      '^src/errors\\.ts$',
      layer('(graph|ops|kernels)/'),
      layer('lifetime/constants\\.ts$'),
    ]),
    only('kernels-look-down', layer('kernels/'), [
      '^src/errors\\.ts$',
      layer('(graph|ops)/'),
      layer('target/types\\.ts$'),
    ]),
    only('assume-looks-down', layer('assume/'), ['^src/errors\\.ts$', layer('(graph|ops|shape)/')]),
    only('place-looks-down', layer('place/'), [
      '^src/errors\\.ts$',
      layer('planner/'),
      layer('(graph|lifetime|target)/types\\.ts$'),
    ]),
    only('several-looks-down', layer('several/'), [
      '^src/errors\\.ts$',
      layer('(graph|lifetime|place|planner)/'),
      layer('plan/(parts|request|types)\\.ts$'),
      layer('model/types\\.ts$'),
      layer('emit/identifiers\\.ts$'),
    ]),
    only('elf-looks-down', layer('elf/'), [
      '^src/errors\\.ts$',
      layer('plan/types\\.ts$'),
      layer('emit/(alignment|symbols)\\.ts$'),
    ]),
    only('model-looks-down', layer('model/'), ['^src/errors\\.ts$', layer('graph/')]),
    only('target-looks-down', layer('target/'), ['^src/(errors|bytes)\\.ts$']),
    {
      name: 'files-are-touched-in-few-places',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          layer('model/'),
          layer('target/load'),
          layer('emit/(write|render|templates|runtime)'),
          layer('cli/'),
          layer('main\\.ts$'),
          layer('report/'),
        ],
      },
      to: { path: '^(node:)?fs(/promises)?$' },
    },
    {
      name: 'onnx-proto-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: layer('model/proto\\.ts$') },
      to: { path: 'node_modules/(onnx-proto|protobufjs)' },
    },
    {
      name: 'commander-and-chalk-in-cli',
      severity: 'error',
      from: { path: '^src/', pathNot: layer('(cli|report)/') },
      to: { path: 'node_modules/(commander|chalk)' },
    },
    {
      name: 'handlebars-in-emit',
      severity: 'error',
      from: { path: '^src/', pathNot: layer('emit/') },
      to: { path: 'node_modules/handlebars' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};
