import type { StorageConfiguration } from "@assay/schemas"

/** What tells the files of a storage apart from those of every other one. */
export interface CachePin {
  /** With a path, and the ETag where content can change, this is the same exactly for the same bytes. */
  readonly parts: readonly string[]
  /** Whether the bytes behind a path never change. */
  readonly isFixed: boolean
}

/**
 * What pins the files of a storage whose configuration is resolved. Secrets are no part of it: whoever may read the same
 * revision or version reads the same bytes. Undefined for what is not cached: local files, and what is not resolved.
 */
export function cachePinOf(storage: StorageConfiguration): CachePin | undefined {
  if (storage.type === "hub") {
    const { endpoint, repo_type, repo_id, revision } = storage
    return isCommit(revision) ? fixed("hub", endpoint, repo_type, repo_id, revision) : undefined
  }
  if (storage.type === "catalog") {
    const { host, org, team, target_type, target, version } = storage
    return version === undefined ? undefined : fixed("catalog", host, org, team, target_type, target, version)
  }
  if (storage.type === "objstore") {
    const { endpoint_url, region, bucket, prefix } = storage
    return { parts: texts("objstore", endpoint_url, region, bucket, prefix), isFixed: false }
  }
  return undefined
}

function isCommit(revision: string | undefined): revision is string {
  return revision !== undefined && /^[0-9a-f]{40}$/.test(revision)
}

function fixed(...parts: readonly (string | undefined)[]): CachePin {
  return { parts: texts(...parts), isFixed: true }
}

function texts(...parts: readonly (string | undefined)[]): readonly string[] {
  return parts.map((part) => part ?? "")
}
