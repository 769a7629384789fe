import { isIgnored, type SignedManifest } from "./signed-manifest.ts"

/** How a file differs from what was signed. */
export interface FileDifference {
  readonly path: string
  /** `changed`: it has other bytes. `missing`: it was signed. `unsigned`: it was not signed. */
  readonly fault: "changed" | "missing" | "unsigned"
}

/** Compares the names of files with the signed ones, without reading a file. `own` is the path of the signature. */
export async function comparePaths(
  { files, ignored }: SignedManifest,
  listed: AsyncIterable<{ readonly path: string }>,
  own: string | undefined,
): Promise<FileDifference[]> {
  const missing = new Set<string>(files.map(({ path }) => path))
  const unsigned: FileDifference[] = []
  for await (const { path } of listed) {
    const isSigned = missing.delete(path)
    if (!isSigned && path !== own && !isIgnored(ignored, path)) unsigned.push({ path, fault: "unsigned" })
  }
  return [...[...missing].map((path) => ({ path, fault: "missing" }) as const), ...unsigned]
}
