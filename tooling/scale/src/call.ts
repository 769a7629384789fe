import { setTimeout as sleep } from "node:timers/promises"

/** Sends a request to a server. A body that is an object is sent as JSON. @returns the JSON or the text of the response, or undefined if it has no body */
export type Call = (method: string, path: string, body?: object | string) => Promise<unknown>

export const FILES = "/apis/files/v2/workspaces/default/filesets"

/** Sends requests to one server. A 409 is a response like any other: the record already exists. */
export function callServer(url: string): Call {
  return async (method, path, body) => {
    const isJson = typeof body === "object"
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
      headers: { "content-type": isJson ? "application/json" : "application/octet-stream" },
    })
    const text = await response.text()
    if (!response.ok && response.status !== 409) {
      throw new Error(`${method} ${url}${path} returned ${response.status}: ${text}`)
    }
    if (text === "") return undefined
    return response.headers.get("content-type")?.includes("json") === true ? JSON.parse(text) : text
  }
}

/** Milliseconds for which a request is repeated. */
const PATIENCE_MS = 120_000

/** Sends each request to one server after the other until one takes it. Only for requests that may be done twice. */
export function callAnyServer(urls: () => readonly string[]): Call {
  return async (method, path, body) => {
    const until = Date.now() + PATIENCE_MS
    for (let number = 0; ; number++) {
      const all = urls()
      try {
        return await callServer(all[number % all.length] ?? "")(method, path, body)
      } catch (error) {
        if (Date.now() > until) throw error
        await sleep(200)
      }
    }
  }
}
