import { createHash } from "node:crypto"
import { html, withCode } from "@assay/reports"
import type { FastifyReply, FastifyRequest } from "fastify"
import { logServerError, sendError } from "../errors/error-handler.ts"
import { errorResponse, toAssayError } from "../errors/error-response.ts"

const STYLE =
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:42rem;margin:4rem auto;padding:0 1rem;overflow-wrap:anywhere}"
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
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Sign-in</title>
        <style>
          ${{ html: STYLE }}
        </style>
      </head>
      <body>
        <main>
          <h1>You are not signed in</h1>
          <p>${withCode(String(body["detail"]))}</p>
          <p><a href="/">Back to Assay</a></p>
        </main>
      </body>
    </html> `
  return reply
    .code(status)
    .headers({
      ...headers,
      "x-request-id": request.id,
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
    })
    .header("x-content-type-options", "nosniff")
    .type("text/html; charset=utf-8")
    .serializer(String)
    .send(page.html)
}
