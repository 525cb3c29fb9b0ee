// The source of the pages of price quality, over the store. Only books that customers may see have figures (D42).
import { bookmaker, CUSTOMER_BOOKMAKER_KEYS } from '../../domain/bookmakers';
import type { Reads } from '../../store/reads/reads';
import type { PriceQualitySource } from '../../web/price-quality/source';

export const createPriceQualitySource = ({ archive }: Pick<Reads, 'archive'>): PriceQualitySource => ({
  days: () => archive.markedDays(),
  async rows(from, to) {
    const rows = await archive.dayMarks(from, to);
    return rows
      .filter((row) => CUSTOMER_BOOKMAKER_KEYS.includes(row.bookmaker))
      .map((row) => ({ ...row, title: bookmaker(row.bookmaker)!.title }));
  },
});
