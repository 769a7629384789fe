import { AssayError } from "../errors/assay-error.ts"
import { findFault } from "../records/find-fault.ts"
import { CalibrationReport } from "./calibration-report.ts"

/** Reads a calibration report from JSON. @throws `invalid_request` with the first location that is wrong */
export function readCalibrationReport(text: string): CalibrationReport {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const message = "This file is not JSON; open the report.json that a calibration wrote."
    throw new AssayError("invalid_request", message, { cause: error })
  }
  const fault = findFault(CalibrationReport, value)
  if (fault === undefined) return value as CalibrationReport
  const location = fault.keys.length === 0 ? "the file" : fault.keys.join(".")
  const message = `This file is not a calibration report: ${location}: ${fault.msg}; open the report.json that a calibration wrote.`
  throw new AssayError("invalid_request", message)
}
