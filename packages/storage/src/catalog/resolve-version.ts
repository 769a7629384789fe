import type { AssayError } from "@assay/schemas"
import { isObject } from "@assay/json"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { isOrgContextMissing, type ApiResponse } from "./api-response.ts"
import { assetPath, catalogTarget, versionPath } from "./asset.ts"
import { checksumsPath } from "./checksums.ts"
import type { CatalogClient } from "./client.ts"
import { assetMissing, explainMissing } from "./errors.ts"

/** The name of the newest version. */
export const LATEST = "latest"
const COMPLETE = "UPLOAD_COMPLETE"

/**
 * Resolves `asked` to the id of a version that is completely uploaded.
 * @throws `upstream_missing`, `upstream_refused`, `upstream_misconfigured`, `upstream_failed`
 */
export async function resolveVersion(client: CatalogClient, asked: string, signal?: AbortSignal): Promise<string> {
  const version = asked === LATEST ? await latestVersion(client, signal) : asked
  const target = catalogTarget(client.asset, "open", { version })
  const answer = await client.get(versionPath(client.asset, version), target, signal)
  if (answer.status === 404) throw await explainMissing(client, version, target, signal)
  if (isOrgContextMissing(answer)) {
    await checkFilesAreThere(client, version, target, signal)
    return version
  }
  if (answer.status !== 200) throw client.error(answer, target)
  const status = partOf(answer, "Version")["status"]
  if (status === COMPLETE) return version
  const what = `version '${version}' is not completely uploaded (its status is '${String(status)}'); wait for it, or name another version.`
  throw remoteError("upstream_missing", target, what)
}

async function latestVersion(client: CatalogClient, signal?: AbortSignal): Promise<string> {
  const target = catalogTarget(client.asset, "open")
  const answer = await client.get(assetPath(client.asset), target, signal)
  if (answer.status === 404) throw assetMissing(client, target)
  if (isOrgContextMissing(answer)) throw latestVersionHidden(client, answer, target)
  if (answer.status !== 200) throw client.error(answer, target)
  const { latestVersionIdStr: latest } = partOf(answer, "")
  if (typeof latest === "string" && latest !== "") return latest
  throw remoteError("upstream_missing", target, "it has no version yet; wait for one, or name another asset.")
}

function latestVersionHidden(
  { asset, secret }: CatalogClient,
  { words }: ApiResponse,
  target: RemoteTarget,
): AssayError {
  const what = `org '${asset.org}' does not show the latest version to the key in secret '${secret}' (${words}); name a version, or use a key of that org.`
  return remoteError("upstream_refused", target, what)
}

/**
 * Checks that files can be read. An organization that shows nothing about its versions may still give out their files.
 */
async function checkFilesAreThere(
  client: CatalogClient,
  version: string,
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<void> {
  const response = await client.send(checksumsPath(client.asset, version), { range: "bytes=0-0" }, signal)
  response.body.destroy()
  if (response.status >= 400) throw client.error({ status: response.status, body: {}, words: "" }, target)
}

/** Returns the object of a response. The API calls a resource a recipe. */
function partOf({ body }: ApiResponse, part: "" | "Version"): Readonly<Record<string, unknown>> {
  const found = body[`model${part}`] ?? body[`recipe${part}`]
  return isObject(found) ? found : {}
}
