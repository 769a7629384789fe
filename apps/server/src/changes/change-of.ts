import type { AuditedWrite, Change } from "@assay/registry"

/** The groups of operations that write filesets and their files. */
const FILESETS = new Set(["filesets", "files", "uploads", "rows", "models", "hub", "s3", "platform v1"])

/** Returns the change of a write. Names are those of filesets only: other names are for those who may list them. */
export function changeOf({
  kind,
  workspace,
  name,
  fileset,
}: Pick<AuditedWrite, "kind" | "workspace" | "name" | "fileset">): Change {
  if (!FILESETS.has(kind)) return { kind, workspace, name: null }
  const path = name?.indexOf("/") ?? -1
  return { kind: "filesets", workspace, name: fileset ?? (path < 0 ? name : (name?.slice(0, path) ?? null)) }
}
