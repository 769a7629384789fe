/** The file that a thread runs, beside the module `base`: the source where that is a source, else what was built of it. */
export function programFile(name: string, base: string): URL {
  return new URL(`./${name}${base.endsWith(".ts") ? ".ts" : ".js"}`, base)
}
