// The source of the public page: the figures that the operations serve to customers.
import type { QualitySource } from '../../web/quality/source';
import { CUSTOMERS } from '../kernel/endpoint/visibility';
import { presentAudit } from '../operations/quality/present-audit';
import { type QualityReads, readQuality } from '../operations/quality/summary';

export function createQualitySource(reads: QualityReads, clockSpeed: number): QualitySource {
  return {
    async read(nowMs) {
      const { summary, details, audits } = await readQuality(reads, CUSTOMERS, nowMs, clockSpeed);
      return { ...summary, degraded_details: details, audits: audits.map(presentAudit) };
    },
  };
}
