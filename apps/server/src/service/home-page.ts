import { createHash } from "node:crypto"
import { Type } from "@sinclair/typebox"
import { access } from "../auth/access.ts"
import { sendConsolePage } from "../console/console-routes.ts"
import type { App } from "../http/app.ts"
import type { Services } from "../services.ts"

interface Link {
  readonly href: string
  readonly name: string
  readonly text: string
}

const API_LINKS: readonly Link[] = [
  { href: "/docs", name: "API reference", text: "Every operation with an example. Try them on the page." },
  { href: "/openapi.json", name: "OpenAPI description", text: "For client generators." },
]
const PROCESS_LINKS: readonly Link[] = [
  { href: "/health/ready", name: "Health", text: "Whether the database and the storage respond." },
  { href: "/metrics", name: "Metrics", text: "For Prometheus." },
]

const STYLE =
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:42rem;margin:4rem auto;padding:0 1rem}" +
  "h1{margin:0}dt{margin-top:1rem;font-weight:600}dd{margin:0}pre{padding:.75rem;border:1px solid;border-radius:.4rem;overflow:auto}"
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ")

const Home = Type.Object(
  { name: Type.String(), links: Type.Record(Type.String(), Type.String()) },
  { $id: "Home", description: "Links to the other pages of this server." },
)

/**
 * Defines `GET /`: the console for people, or a page with links if there is no console, and the same links as JSON for
 * programs. It shows nothing that needs a token.
 */
export function homePage(app: App, { roles, takesTokens, console }: Services): void {
  const links = [...(roles.includes("api") ? API_LINKS : []), ...PROCESS_LINKS]
  const page = pageOf(links, takesTokens)
  const home = { name: "Assay", links: Object.fromEntries(links.map(({ name, href }) => [name, href])) }
  app.get(
    "/",
    {
      config: access({ scope: "public" }),
      // The address of a page may have a state that the API does not know, so that it is not validated.
      onRequest: (request, reply, done) => {
        if (sendConsolePage(console, request, reply) === undefined) done()
      },
      schema: { tags: ["service"], summary: "Get links to the other pages of this server", response: { 200: Home } },
    },
    async (request, reply) => {
      reply.header("vary", "Accept")
      if (request.headers.accept?.includes("text/html") !== true) return home
      reply.header("content-security-policy", POLICY).header("x-content-type-options", "nosniff")
      return reply
        .type("text/html; charset=utf-8")
        .serializer(String)
        .send(page as never)
    },
  )
}

function pageOf(links: readonly Link[], takesTokens: boolean): string {
  const list = links.map(({ href, name, text }) => `<dt><a href="${href}">${name}</a></dt><dd>${text}</dd>`).join("")
  const token = takesTokens
    ? "<p>This server requires a token. Create one on its machine, and pass it to the command line or to “Authorize” in the API reference:</p><pre>assay token create laptop --role editor --workspace default\nexport ASSAY_TOKEN=…</pre>"
    : ""
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Assay</title><style>${STYLE}</style></head>
<body><main><h1>Assay</h1><p>A registry, an evaluator and a judge for the files of AI teams.</p><dl>${list}</dl>${token}
<p>From a terminal:</p><pre>assay push ./some-folder default/first\nassay ls default/first</pre></main></body></html>
`
}
