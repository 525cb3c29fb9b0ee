// How a widget's fills are shared.
import fc from 'fast-check';
import { fillShares } from '../../../src/domain/widgets/fill-shares';
import { runs } from '../../support/property';

test.each([
  [1, { singles: 1, ofNetwork: 1, ofNetworkWithoutToken: 1, withoutToken: 1 }],
  [3, { singles: 2, ofNetwork: 1, ofNetworkWithoutToken: 1, withoutToken: 1 }],
  [16, { singles: 8, ofNetwork: 2, ofNetworkWithoutToken: 1, withoutToken: 4 }],
  [120, { singles: 60, ofNetwork: 15, ofNetworkWithoutToken: 7, withoutToken: 30 }],
  [3600, { singles: 3540, ofNetwork: 885, ofNetworkWithoutToken: 442, withoutToken: 1770 }],
])('of %d fills', (most, shares) => expect(fillShares(most)).toEqual(shares));

test('three networks leave some of four or more fills of single races to a fourth; the usual set keeps its half', () =>
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 3600 }), (most) => {
      const { singles, ofNetwork, ofNetworkWithoutToken, withoutToken } = fillShares(most);
      expect(most - singles).toBe(Math.min(60, Math.floor(most / 2)));
      if (singles >= 4) expect(3 * ofNetwork).toBeLessThan(singles);
      expect(ofNetworkWithoutToken).toBeLessThanOrEqual(ofNetwork);
      expect(withoutToken).toBeLessThanOrEqual(singles);
    }),
    { numRuns: runs(500) },
  ));
