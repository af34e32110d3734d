// Pages without a mechanism: the comparison of methods, and the region of stability.
import { comparePage, type CompareReport } from "./compare_page";
import { readReport } from "./data";
import { stabilityPage, type StabilityReport } from "./stability_page";

const report = readReport<CompareReport | StabilityReport>();
if (report.kind === "compare") comparePage(report);
else stabilityPage(report);
