import { hostname, userInfo } from "node:os"
import { join } from "node:path"

export interface SlurmConfiguration {
  /** Folder of the state of the controller and the node. */
  readonly folder: string
  readonly socket: string
  readonly controllerPort: number
  readonly nodePort: number
  readonly cpus: number
  /** Indexes of arrays are smaller. */
  readonly maxArraySize: number
}

/** Seconds after which a task that has lost its node starts again. 5 is the least that Slurm accepts. Its default is 120. */
const CREDENTIAL_SECONDS = 5

/** Returns `slurm.conf` of a cluster whose controller and only node are this machine, for the user of this process alone. */
export function formatSlurmConfiguration(options: SlurmConfiguration): string {
  const { folder, socket, controllerPort, nodePort, cpus, maxArraySize } = options
  const [host] = hostname().split(".")
  const { username } = userInfo()
  return `ClusterName=assay
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controllerPort}
SlurmdPort=${nodePort}
SlurmUser=${username}
SlurmdUser=${username}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=${socket},cred_expire=${CREDENTIAL_SECONDS}
StateSaveLocation=${join(folder, "state")}
SlurmdSpoolDir=${join(folder, "spool")}
SlurmctldPidFile=${join(folder, "slurmctld.pid")}
SlurmdPidFile=${join(folder, "slurmd.pid")}
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
MaxArraySize=${maxArraySize}
KillWait=2
NodeName=node1 NodeHostname=${host} NodeAddr=127.0.0.1 Port=${nodePort} CPUs=${cpus} RealMemory=100000
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`
}
