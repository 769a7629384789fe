import { describe, expect, it } from "vitest"
import { describeDocument, describeRoute } from "./describe-document.ts"

describe("the OpenAPI document", () => {
  it("has each named schema once, and references to it", () => {
    const Name = { $id: "Name", type: "string" }
    const route = describeRoute({ response: { 200: { type: "array", items: Name }, 201: Name } })
    const document = describeDocument({ paths: { "/x": { get: route } } })
    expect(document).toMatchObject({
      paths: {
        "/x": {
          get: {
            response: {
              200: { type: "array", items: { $ref: "#/components/schemas/Name" } },
              201: { $ref: "#/components/schemas/Name" },
            },
          },
        },
      },
      components: { schemas: { Name: { type: "string" } } },
    })
  })

  it("describes streamed bodies as bytes, and the router's * as a path", () => {
    const params = { type: "object", properties: { ws: { type: "string" }, "*": { type: "string" } } }
    expect(describeRoute({ consumes: ["application/octet-stream"], params })).toMatchObject({
      body: { type: "string", format: "binary" },
      params: { required: ["ws", "path"], properties: { path: { type: "string" } } },
    })
  })

  it("writes tuples as JSON Schema 2020-12, and has defaults of bodies in words, so that clients can leave fields out", () => {
    const size = { type: "integer", default: 8, description: "Bytes." }
    const Body = {
      $id: "Body",
      type: "object",
      required: ["name", "size", "pair"],
      properties: { name: {}, size, pair: {} },
    }
    const Pair = { type: "array", items: [{ type: "number" }, { type: "string" }], additionalItems: false }
    const described = (schema: object) => ({ type: "object", properties: { pair: schema } })
    const route = describeRoute({ body: Body, response: { 200: { ...Body, properties: described(Pair).properties } } })
    expect(describeDocument({ paths: { "/x": { post: route } } })["components"]).toEqual({
      schemas: {
        Body: {
          type: "object",
          required: ["name", "pair"],
          properties: { name: {}, pair: {}, size: { type: "integer", description: "Bytes. Default `8`." } },
        },
      },
    })
    const tuple = describeRoute({ response: { 200: described(Pair) } })
    expect(describeDocument({ paths: { "/x": { get: tuple } } })["paths"]).toMatchObject({
      "/x": { get: { response: { 200: { properties: { pair: { prefixItems: Pair.items, items: false } } } } } },
    })
  })

  it("gives known operations an id, examples and a shell command", () => {
    const get = { parameters: [{ name: "ws", in: "path" }] }
    const { paths } = describeDocument({ paths: { "/apis/secrets/v2/workspaces/{ws}/secrets": { get } } })
    expect(paths).toMatchObject({
      "/apis/secrets/v2/workspaces/{workspace}/secrets": {
        get: {
          operationId: "listSecrets",
          parameters: [{ name: "workspace", example: "default" }],
          "x-codeSamples": [
            { source: "curl -X GET 'http://127.0.0.1:8080/apis/secrets/v2/workspaces/default/secrets'" },
          ],
        },
      },
    })
  })
})
