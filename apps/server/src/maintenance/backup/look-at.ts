import { lstatSync } from "node:fs"

/** Size and time of a file; undefined for what is none. */
export function lookAt(file: string): { readonly size: number; readonly mtimeNs: bigint } | undefined {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return stats?.isFile() === true ? { size: Number(stats.size), mtimeNs: stats.mtimeNs } : undefined
}
