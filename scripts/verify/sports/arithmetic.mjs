// The return of a set of prices, in exact fractions. Written only for this proof: it shares nothing with the service.

/** A decimal text as numerator and denominator. */
function fraction(price) {
  const [whole, decimals = ''] = String(price).split('.');
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
}

/**
 * The profit of stakes that return the same on every price, in percent, rounded down to hundredths; 0 or below: no arb.
 */
export function profitPct(prices) {
  let [above, below] = [0n, 1n];
  for (const price of prices) {
    const [p, q] = fraction(price);
    [above, below] = [above * p + q * below, below * p];
  }
  const hundredths = (below - above) * 10_000n;
  return Number(hundredths >= 0n ? hundredths / above : (hundredths - above + 1n) / above) / 100;
}
