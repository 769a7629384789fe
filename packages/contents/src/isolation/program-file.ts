/**
 * Returns the address of a program beside the module `base`: the TypeScript source if `base` is one, or the built file.
 */
export function programFile(name: string, base: string): URL {
  return new URL(`./${name}${base.endsWith(".ts") ? ".ts" : ".js"}`, base)
}
