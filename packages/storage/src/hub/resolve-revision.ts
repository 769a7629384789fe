import { askForJson, notAHubError, type HubClient } from "./client.ts"
import { hubTarget, revisionPath } from "./repository.ts"

/** Returns whether a revision is a full commit id. All other revisions can change. */
export function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40}$/.test(revision)
}

/**
 * Returns the current commit of the client's revision.
 * @throws `upstream_missing` for a missing revision or repository
 */
export async function resolveRevision(client: HubClient, signal?: AbortSignal): Promise<string> {
  const target = hubTarget(client.repository, "open")
  const path = revisionPath(client.repository, client.revision)
  const { text } = await askForJson(client, { path }, target, signal)
  const sha = shaOf(text)
  if (sha === undefined || !isCommit(sha)) throw notAHubError(target, "it names no commit for the revision")
  return sha
}

function shaOf(text: Buffer): string | undefined {
  try {
    const info: unknown = JSON.parse(text.toString("utf8"))
    if (typeof info === "object" && info !== null && "sha" in info && typeof info.sha === "string") return info.sha
  } catch {
    // The content type says JSON, but the body is not.
  }
  return undefined
}
