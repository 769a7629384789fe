import { createHash } from "node:crypto"
import { html, withCode } from "@assay/reports"
import type { FastifyReply, FastifyRequest } from "fastify"
import { logServerError, sendError } from "../errors/error-handler.ts"
import { errorResponse, toAssayError } from "../errors/error-response.ts"

const STYLE =
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:42rem;margin:4rem auto;padding:0 1rem;overflow-wrap:anywhere}"
/** Made apart from other markup, because the policy has the hash of its very text. */
const STYLE_ELEMENT = { html: `<style>${STYLE}</style>` }
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ")

/** Sends why a sign-in failed: as a page to a browser, else as other errors. Texts of the provider are escaped. */
export function sendFailedSignIn(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers.accept?.includes("text/html") !== true) return sendError(error, request, reply)
  const fault = toAssayError(error, request)
  logServerError(fault, request)
  const { status, headers, body } = errorResponse(fault)
  const head = html`<meta charset="utf-8" /><meta name="viewport" content="width=device-width" />${STYLE_ELEMENT}
    <title>Sign-in</title>`
  const reason = html`<p>${withCode(String(body["detail"]))}</p>`
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        ${head}
      </head>
      <body>
        <main>
          <h1>You are not signed in</h1>
          ${reason}
          <p><a href="/">Back to Assay</a></p>
        </main>
      </body>
    </html>`
  return reply
    .code(status)
    .headers({
      ...headers,
      "x-request-id": request.id,
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    })
    .header("x-content-type-options", "nosniff")
    .type("text/html; charset=utf-8")
    .serializer(String)
    .send(page.html)
}
