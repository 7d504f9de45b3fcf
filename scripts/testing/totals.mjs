/**
 * The used part of vitest's JSON report.
 * @typedef {object} Report
 * @property {{ status?: string, assertionResults?: { status?: string }[] }[]} [testResults]
 */

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

/**
 * Counts the results of a run. A file that failed without a failed test (not loaded, or a hook threw) counts as one failure.
 * So does a failed run without failures, and a run without tests.
 * @param {Report | null} report null if there is none
 * @param {{ exitCode: number, otherFailures?: number, mayBeEmpty?: boolean }} run otherFailures: of the setup, such as a
 *   failed build; mayBeEmpty: whether a run without tests passes
 * @returns {Totals}
 */
export function countTotals(report, { exitCode, otherFailures = 0, mayBeEmpty = false }) {
  const totals = { passed: 0, failed: otherFailures, skipped: 0 };
  for (const file of report?.testResults ?? []) {
    const statuses = (file.assertionResults ?? []).map((test) => test.status);
    const failed = statuses.filter((status) => status === 'failed').length;
    const passed = statuses.filter((status) => status === 'passed').length;
    totals.passed += passed;
    totals.failed += file.status === 'failed' ? Math.max(1, failed) : failed;
    totals.skipped += statuses.length - passed - failed;
  }
  const nothingRan = !mayBeEmpty && totals.passed + totals.failed === 0;
  if (totals.failed === 0 && (exitCode !== 0 || nothingRan)) totals.failed = 1;
  return totals;
}

/**
 * @param {Totals} totals
 * @returns {string} "N passed, N failed", and ", N skipped" if there are any
 */
export function totalsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
