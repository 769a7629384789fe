/** `test`: a test beside the source. `suite`: a contract suite that other packages run. `source`: everything else. */
export type SourceKind = "test" | "suite" | "source"

/** Returns the kind of a file, derived from its path. */
export function sourceKind(path: string): SourceKind {
  if (/\.test\.tsx?$/.test(path) || path.endsWith("vitest.config.ts")) return "test"
  return path.includes("/src/testing/") ? "suite" : "source"
}
