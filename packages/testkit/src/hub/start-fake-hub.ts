import type { ServerResponse } from "node:http"
import { startLoopbackServer, type LoopbackHandler, type LoopbackServer } from "../loopback-server.ts"
import { answerHub } from "./answer-hub.ts"
import type { HubSettings } from "./exchange.ts"
import type { FakeHubOptions, FakeRepository, RepositoryType } from "./fake-hub-options.ts"
import { createFaults } from "../planned-faults.ts"
import type { FaultsAtHand, HubFault, HubFaults } from "./faults.ts"
import { type HubAnswer, sendAnswer, spoilAnswer } from "./hub-answer.ts"
import { parseAddress, type HubRequest } from "./hub-request.ts"
import { answerObject, createSignedAddresses } from "./object-host.ts"
import { createRepository, repositoryKey, type StoredRepository } from "./stored-repository.ts"

export interface FakeHub {
  /** Of the hub, path prefix included, without a slash at its end. */
  readonly url: string
  /** Of the host that hands out large files. */
  readonly objectUrl: string
  /** Every complete request to either host, in order. */
  readonly requests: readonly HubRequest[]
  readonly faults: HubFaults
  /** Adds a repository, or replaces the one of the same name. */
  add(repository: FakeRepository): StoredRepository
  /** @param type default `model` */
  repository(id: string, type?: RepositoryType): StoredRepository
  /** Invalidates all issued addresses of the other host. */
  expireAddresses(): void
  /** Number of answers in progress. */
  countOpenAnswers(): number
  close(): Promise<void>
}

/**
 * Starts a hub that serves readers as the real one does, and a second host for large files. It checks requests as strictly as
 * the real one.
 */
export async function startFakeHub(options: FakeHubOptions = {}): Promise<FakeHub> {
  const settings = fillDefaults(options)
  const repositories = new Map<string, StoredRepository>()
  const requests: HubRequest[] = []
  const faults = createFaults<HubFault, HubRequest>()
  const addresses = createSignedAddresses(settings.addressSeconds)
  const open = new Set<ServerResponse>()

  function add(repository: FakeRepository): StoredRepository {
    const stored = createRepository(repository)
    repositories.set(repositoryKey(stored.type, stored.id), stored)
    return stored
  }

  function findObject(oid: string): Buffer | undefined {
    for (const repository of repositories.values()) {
      const bytes = repository.object(oid)
      if (bytes !== undefined) return bytes
    }
    return undefined
  }

  /** Receives, records and answers a request, with its faults. */
  function handler(
    host: HubRequest["host"],
    operationOf: (url: string) => HubRequest["operation"],
    answer: (request: HubRequest, faults: FaultsAtHand) => HubAnswer,
  ): LoopbackHandler {
    return async ({ method, url, body, raw }, response) => {
      open.add(response)
      response.once("close", () => open.delete(response))
      const headers = Object.fromEntries(
        Object.entries(raw.headersDistinct).map(([name, values = []]) => [name, values.join(",")]),
      )
      const request = { host, method, url, headers, body, operation: operationOf(url) }
      requests.push(request)
      const atHand = faults.take(request)
      const spoiled = spoilAnswer(answer(request, atHand), atHand)
      const numbered = { ...spoiled, headers: { "x-request-id": `Root=1-${requests.length}`, ...spoiled.headers } }
      await sendAnswer(response, numbered, atHand)
    }
  }

  const objectServer = await startLoopbackServer(
    handler(
      "cdn",
      () => "object",
      (request, atHand) => answerObject(request, { addresses, find: findObject, faults: atHand }),
    ),
  )
  const hubServer: LoopbackServer = await startLoopbackServer(
    handler(
      "hub",
      (url) => parseAddress(url, settings.pathPrefix)?.operation ?? "",
      (request, atHand) =>
        answerHub({
          request,
          address: parseAddress(request.url, settings.pathPrefix),
          repositories,
          settings,
          url: hubServer.url + settings.pathPrefix,
          addresses,
          faults: atHand,
          objectHost: objectServer.url,
        }),
    ),
  )

  for (const repository of settings.repositories) add(repository)
  return {
    url: hubServer.url + settings.pathPrefix,
    objectUrl: objectServer.url,
    requests,
    faults,
    add,
    repository(id, type = "model") {
      const found = repositories.get(repositoryKey(type, id))
      if (found === undefined) throw new Error(`The fake hub has no ${type} '${id}'; name it in its options.`)
      return found
    },
    expireAddresses: () => addresses.expire(),
    countOpenAnswers: () => open.size,
    async close() {
      await Promise.all([hubServer.close(), objectServer.close()])
    },
  }
}

function fillDefaults(options: FakeHubOptions): HubSettings {
  return {
    repositories: [],
    tokens: {},
    pathPrefix: "",
    pageSize: 1000,
    addressSeconds: 3600,
    resolveCache: false,
    relativeLinks: false,
    ...options,
  }
}
