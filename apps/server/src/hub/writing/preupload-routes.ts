import { HubPreuploadAnswer, HubPreuploadBody } from "@assay/schemas"
import { access } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { checkBranch } from "../hub-address.ts"
import { CommitQuery, refusePullRequest, RevisionParameters } from "../hub-request.ts"

/** Whether the beginning of a file looks like text: UTF-8 without control characters except white space. */
function isText(sample: Uint8Array): boolean {
  try {
    // Decoded as a stream, because the sample can end within a character.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true })
    // oxlint-disable-next-line no-control-regex -- the control characters are intended
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text)
  } catch {
    return false
  }
}

/** Text files up to this size are sent within the commit. */
const MAX_REGULAR_BYTES = 10_485_760

/** Defines the route that tells clients how to send each file. */
export function preuploadRoutes(app: App, services: Services): void {
  app.post(
    "/api/:type/:ws/:name/preupload/:rev",
    {
      config: access({ scope: "workspace", role: "editor" }),
      schema: {
        tags: ["hub"],
        summary: "Get the upload mode of each file",
        params: RevisionParameters,
        querystring: CommitQuery,
        body: HubPreuploadBody,
        response: { 200: HubPreuploadAnswer },
      },
    },
    async (request) => {
      const { ws, name, rev } = request.params
      const { files, revisions } = registryOf(services, request)
      refusePullRequest(request.query.create_pr)
      checkBranch(rev)
      await files.checkWritable(ws, name)
      const tree = await revisions.get(ws, name, undefined)
      return {
        files: request.body.files.map(({ path, size = 0, sample = "" }) => {
          const isRegular = size <= MAX_REGULAR_BYTES && isText(Buffer.from(sample, "base64"))
          const oid = isRegular ? null : tree.get(path)?.sha256
          return {
            path,
            uploadMode: isRegular ? ("regular" as const) : ("lfs" as const),
            shouldIgnore: false as const,
            ...(typeof oid === "string" ? { oid } : {}),
          }
        }),
      }
    },
  )
}
