import { formatPacket, gitRefusal } from "@assay/hub"
import { Type } from "@sinclair/typebox"
import { access } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { hubUrl } from "./hub-address.ts"
import { GitParameters } from "./hub-request.ts"

const ServiceQuery = Type.Object({
  service: Type.Optional(Type.String({ description: "`git-upload-pack` or `git-receive-pack`." })),
})

/**
 * Defines the route with which `git clone` and `git push` begin. git shows what it says to its user. It needs no token, because it says
 * the same for every name.
 */
export function gitRoutes(app: App): void {
  for (const type of ["", "/datasets", "/spaces"]) {
    app.get(
      `${type}/:ws/:repo/info/refs`,
      {
        config: access({ scope: "public" }),
        schema: {
          tags: ["hub"],
          summary: "Say to git what works instead of it",
          params: GitParameters,
          querystring: ServiceQuery,
          produces: ["application/x-git-upload-pack-advertisement"],
        },
      },
      (request, reply) => {
        const service = request.query.service === "git-receive-pack" ? "git-receive-pack" : "git-upload-pack"
        const { ws, repo } = request.params
        const repository = { ws, name: repo.replace(/\.git$/, "") }
        return reply
          .type(`application/x-${service}-advertisement`)
          .header("cache-control", "no-cache")
          .send(
            `${formatPacket(`# service=${service}\n`)}0000${formatPacket(`ERR ${gitRefusal(hubUrl(request), repository)}\n`)}`,
          )
      },
    )
  }
}
