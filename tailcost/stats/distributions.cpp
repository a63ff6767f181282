#include "tailcost/stats/distributions.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "tailcost/core/assert.hpp"

namespace tailcost {

double binomial_at_most(std::int64_t k, std::int64_t trials, double chance) noexcept {
  if (k < 0) return 0;
  if (k >= trials) return 1;
  const boost::math::binomial_distribution<double> law{static_cast<double>(trials), chance};
  return boost::math::cdf(law, static_cast<double>(k));
}

double binomial_at_least(std::int64_t k, std::int64_t trials, double chance) noexcept {
  if (k <= 0) return 1;
  if (k > trials) return 0;
  const boost::math::binomial_distribution<double> law{static_cast<double>(trials), chance};
  return boost::math::cdf(boost::math::complement(law, static_cast<double>(k - 1)));
}

double student_t_quantile(double probability, double degrees) noexcept {
  TAILCOST_ASSERT(probability > 0);
  TAILCOST_ASSERT(probability < 1);
  TAILCOST_ASSERT(degrees > 0);
  return boost::math::quantile(boost::math::students_t_distribution<double>{degrees}, probability);
}

}  // namespace tailcost
