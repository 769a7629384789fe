import { createHash } from "node:crypto"
import type { CallerRegistry, Revision, RevisionFile } from "@assay/registry"
import { formatTimestamp } from "@assay/schemas"
import { lfsPointer } from "../lfs-pointer.ts"
import { commitTitle } from "./commit-title.ts"
import type { TreeEntry } from "./tree-entry.ts"
import { folderId, type TreeNode } from "./tree-nodes.ts"

export interface DescribeOptions {
  readonly ws: string
  readonly name: string
  readonly tree: Revision
  /** Tell the last commit too. */
  readonly expand: boolean
}

/** An LFS file. One of an old commit that nobody read before it changed has no digest any more. */
function fileEntry({ path, size, version }: RevisionFile, sha256: string | null | undefined): TreeEntry {
  if (sha256 === null || sha256 === undefined) {
    return { type: "file", oid: createHash("sha1").update(version).digest("hex"), size, path }
  }
  const pointer = lfsPointer(sha256, size)
  return { type: "file", oid: pointer.gitId, size, path, lfs: { oid: sha256, size, pointerSize: pointer.size } }
}

/** Nodes of a tree as the hub lists them. */
export async function describeNodes(
  { revisions }: CallerRegistry,
  { ws, name, tree, expand }: DescribeOptions,
  nodes: readonly TreeNode[],
): Promise<TreeEntry[]> {
  const files = nodes.flatMap((node) => ("file" in node ? [node.file] : []))
  const digests = await revisions.digests(ws, name, files)
  const sha256Of = new Map(files.map((file, index) => [file.path, digests[index]]))
  const lastCommit = { id: tree.commit, title: commitTitle(tree), date: formatTimestamp(tree.createdAt) }
  return nodes.map((node) => {
    const entry: TreeEntry =
      "file" in node
        ? fileEntry(node.file, sha256Of.get(node.file.path))
        : { type: "directory", oid: folderId(tree, node.folder), size: 0, path: node.folder.path }
    return expand ? { ...entry, lastCommit } : entry
  })
}
