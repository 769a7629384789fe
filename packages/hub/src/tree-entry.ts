import { createHash } from "node:crypto"
import { formatTimestamp, type HubTreeEntry } from "@assay/schemas"
import type { CallerFilesets, Commit, Revision, RevisionFile, TreeNode } from "@assay/filesets"
import { pointerBlob } from "./pointer-blob.ts"

/** Returns the title of a commit. Changes that were made without a commit get a fixed title. */
export function commitTitle({ title }: Commit): string {
  return title === "" ? "Files changed" : title
}

interface DescribeOptions {
  readonly ws: string
  readonly name: string
  readonly tree: Revision
  /** Include the last commit. */
  readonly expand: boolean
}

/** Describes a file. If a file of an old commit changed before anybody read it, its digest is unknown. */
function fileEntry({ path, size, version }: RevisionFile, sha256: string | null | undefined): HubTreeEntry {
  if (sha256 === null || sha256 === undefined) {
    return { type: "file", oid: createHash("sha1").update(version).digest("hex"), size, path }
  }
  const pointer = pointerBlob({ sha256, size })
  return { type: "file", oid: pointer.gitId, size, path, lfs: { oid: sha256, size, pointerSize: pointer.size } }
}

/** Describes files and folders of a revision as the hub lists them. */
export async function describeNodes(
  { revisions }: CallerFilesets,
  { ws, name, tree, expand }: DescribeOptions,
  nodes: readonly TreeNode[],
): Promise<HubTreeEntry[]> {
  const files = nodes.flatMap((node) => ("file" in node ? [node.file] : []))
  const digests = await revisions.digests(ws, name, files)
  const sha256Of = new Map(files.map((file, index) => [file.path, digests[index]]))
  const folders = nodes.flatMap((node) => ("folder" in node ? [node.folder] : []))
  const ids = await tree.files.folderIds(folders)
  const lastCommit = { id: tree.commit, title: commitTitle(tree), date: formatTimestamp(tree.createdAt) }
  return nodes.map((node) => {
    const entry: HubTreeEntry =
      "file" in node
        ? fileEntry(node.file, sha256Of.get(node.file.path))
        : { type: "directory", oid: ids.get(node.folder.path) ?? "", size: 0, path: node.folder.path }
    return expand ? { ...entry, lastCommit } : entry
  })
}
