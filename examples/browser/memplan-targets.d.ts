/** Made by build.mjs: the files of the built-in targets, by name. */
declare module 'memplan:targets' {
  const targets: Readonly<Record<string, string>>;
  export default targets;
}
