import { askForJson, noHub, type HubClient } from "./client.ts"
import { hubTarget, revisionPath } from "./repository.ts"

/** A commit by its full id: nothing else is the same tomorrow. */
export function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40}$/.test(revision)
}

/** The commit that the client's revision is now. @throws `upstream_missing` for a revision or a repository that is not there */
export async function resolveRevision(client: HubClient, signal?: AbortSignal): Promise<string> {
  const target = hubTarget(client.repository, "open")
  const path = revisionPath(client.repository, client.revision)
  const { text } = await askForJson(client, { path }, target, signal)
  const sha = shaOf(text)
  if (sha === undefined || !isCommit(sha)) throw noHub(target, "it names no commit for the revision")
  return sha
}

function shaOf(text: Buffer): string | undefined {
  try {
    const info: unknown = JSON.parse(text.toString("utf8"))
    if (typeof info === "object" && info !== null && "sha" in info && typeof info.sha === "string") return info.sha
  } catch {
    // It says that it is JSON, and is none.
  }
  return undefined
}
