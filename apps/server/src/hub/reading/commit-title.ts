import type { Commit } from "@assay/registry"

/** What a commit is called; one that nobody made, but that was found, says so. */
export function commitTitle({ title }: Commit): string {
  return title === "" ? "Files changed" : title
}
