import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import {
  createTestCertificates,
  type FakeKubernetes,
  type FakeKubernetesOptions,
  startFakeKubernetes,
} from "@assay/testkit"
import type { ExecutorPorts } from "../executor.ts"
import type { KubernetesProfile } from "../kubernetes/kubernetes-profile.ts"

/** A cluster of a test, and a user of it. */
export interface TestCluster extends AsyncDisposable {
  readonly cluster: FakeKubernetes
  /** Absolute path of a folder that the claim `runs` contains. */
  readonly folder: string
  readonly token: string
  readonly kubeconfig: string
  readonly ports: ExecutorPorts
  /** A profile that works here. */
  readonly profile: KubernetesProfile
}

export interface TestClusterOptions extends Partial<FakeKubernetesOptions> {
  /** Default true. */
  readonly hasTls?: boolean
}

/** Starts a cluster over TLS with a certificate of an authority of its own, which only the kubeconfig knows. */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { hasTls = true, ...rest } = options
  const folder = await mkdtemp(join(tmpdir(), "assay-cluster-"))
  const token = "token-of-the-test-user"
  const certificates = createTestCertificates()
  const cluster = await startFakeKubernetes({
    token,
    ...(hasTls ? { certificate: certificates.leafOnly } : {}),
    images: ["assay:test"],
    claims: { runs: folder },
    folder,
    env: { PATH: process.env["PATH"] ?? "" },
    ...rest,
  })
  const kubeconfig = join(folder, "kubeconfig")
  await writeFile(kubeconfig, kubeconfigOf(cluster.url, certificates.ca, token))
  const sleep: ExecutorPorts["sleep"] = (milliseconds, signal) => pause(milliseconds, undefined, { signal })
  return {
    cluster,
    folder,
    token,
    kubeconfig,
    ports: { cwd: folder, env: { KUBECONFIG: kubeconfig }, sleep },
    profile: { context: "test", image: "assay:test", volumes: [{ claim: "runs", path: folder }] },
    async [Symbol.asyncDispose]() {
      await cluster.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns a kubeconfig with two contexts. The current one leads nowhere. */
function kubeconfigOf(server: string, ca: string, token: string): string {
  return `apiVersion: v1
kind: Config
current-context: other
clusters:
  - name: test
    cluster:
      server: ${server}
      certificate-authority-data: ${Buffer.from(ca).toString("base64")}
  - name: other
    cluster: { server: "https://127.0.0.1:1" }
users:
  - name: tester
    user: { token: "${token}" }
contexts:
  - name: test
    context: { cluster: test, user: tester, namespace: evaluations }
  - name: other
    context: { cluster: other, user: tester }
`
}
