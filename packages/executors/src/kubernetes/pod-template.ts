import type { KubernetesProfile } from "./kubernetes-profile.ts"

/** The container in which the program runs. */
export const CONTAINER = "assay"
/** The user of our image. */
const USER = 65_532
/** Seconds that a stopped process has to end. */
export const GRACE_SECONDS = 30

export interface PodOptions {
  /** The program and its arguments. */
  readonly words: readonly string[]
  /** Whether the first words replace the entry point of the image. Else all are its arguments. */
  readonly hasProgram: boolean
  readonly labels: Readonly<Record<string, string>>
}

/** Returns the template of the pods of a Job. It passes the restricted Pod Security Standard unless the profile says otherwise. */
export function podTemplate(profile: KubernetesProfile, { words, hasProgram, labels }: PodOptions): object {
  const { volumes = [], annotations, resources, image, image_pull_policy } = profile
  const literal = words.map(escapeReferences)
  return {
    metadata: { labels, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      restartPolicy: "Never",
      ...defined({
        serviceAccountName: profile.service_account,
        priorityClassName: profile.priority_class,
        nodeSelector: profile.node_selector,
        tolerations: profile.tolerations,
        imagePullSecrets: profile.image_pull_secrets?.map((name) => ({ name })),
      }),
      automountServiceAccountToken: profile.service_account_token ?? false,
      // Variables such as ASSAY_PORT of a Service named "assay" would look like settings.
      enableServiceLinks: false,
      terminationGracePeriodSeconds: profile.grace_seconds ?? GRACE_SECONDS,
      ...podSecurity(profile),
      containers: [
        {
          name: CONTAINER,
          image,
          ...defined({ imagePullPolicy: image_pull_policy, resources }),
          ...(hasProgram ? { command: literal } : { args: literal }),
          ...containerEnv(profile),
          ...containerSecurity(profile),
          volumeMounts: [
            ...volumes.map(({ path, sub_path, read_only }, at) => ({
              name: `volume-${at}`,
              mountPath: path,
              ...defined({ subPath: sub_path, readOnly: read_only }),
            })),
            { name: "temporary", mountPath: "/tmp" },
          ],
        },
      ],
      volumes: [
        ...volumes.map(({ claim, read_only }, at) => ({
          name: `volume-${at}`,
          persistentVolumeClaim: { claimName: claim, ...defined({ readOnly: read_only }) },
        })),
        // The root of the container is read-only.
        { name: "temporary", emptyDir: {} },
      ],
    },
  }
}

/** Escapes `$(NAME)`, which Kubernetes replaces in commands, arguments and values of variables. No shell reads them. */
function escapeReferences(word: string): string {
  return word.replaceAll("$", "$$$$")
}

function containerEnv({ environment = {}, secret_environment = {}, environment_from = [] }: KubernetesProfile): object {
  const variables = [
    ...Object.entries(environment).map(([name, value]) => ({ name, value: escapeReferences(value) })),
    ...Object.entries(secret_environment).map(([name, { secret, key }]) => ({
      name,
      valueFrom: { secretKeyRef: { name: secret, key } },
    })),
  ]
  const sources = environment_from.map((source) => ({
    ...defined({ prefix: source.prefix }),
    ...("secret" in source ? { secretRef: { name: source.secret } } : { configMapRef: { name: source.config_map } }),
  }))
  return {
    ...(variables.length === 0 ? {} : { env: variables }),
    ...(sources.length === 0 ? {} : { envFrom: sources }),
  }
}

/** https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted */
function podSecurity({ security, run_as_user, run_as_group, fs_group }: KubernetesProfile): object {
  if (security === "none") return {}
  const runAsUser = run_as_user ?? USER
  const runAsGroup = run_as_group ?? runAsUser
  return {
    securityContext: {
      runAsNonRoot: true,
      runAsUser,
      runAsGroup,
      fsGroup: fs_group ?? runAsGroup,
      // A run can have millions of files. Their owner is changed only if that of the volume is wrong.
      fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: { type: "RuntimeDefault" },
    },
  }
}

function containerSecurity({ security }: KubernetesProfile): object {
  if (security === "none") return {}
  return {
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
  }
}

/** Returns the fields that are not undefined. */
function defined(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
