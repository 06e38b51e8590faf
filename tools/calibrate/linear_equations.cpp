// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/linear_equations.hpp"

#include <cmath>
#include <utility>

namespace ndsim::calibrate {

// Gaussian elimination; the pivot is the row with the largest number.
std::vector<double> solution_of(std::vector<std::vector<double>> matrix, std::vector<double> right) {
    const std::size_t count = right.size();
    for (std::size_t step = 0; step < count; ++step) {
        std::size_t pivot = step;
        for (std::size_t row = step + 1; row < count; ++row) {
            pivot = std::abs(matrix[row][step]) > std::abs(matrix[pivot][step]) ? row : pivot;
        }
        std::swap(matrix[step], matrix[pivot]);
        std::swap(right[step], right[pivot]);
        if (matrix[step][step] == 0) {
            continue;
        }
        for (std::size_t row = step + 1; row < count; ++row) {
            const double part = matrix[row][step] / matrix[step][step];
            for (std::size_t column = step; column < count; ++column) {
                matrix[row][column] -= part * matrix[step][column];
            }
            right[row] -= part * right[step];
        }
    }
    std::vector<double> solution(count, 0);
    for (std::size_t row = count; row-- > 0;) {
        double rest = right[row];
        for (std::size_t column = row + 1; column < count; ++column) {
            rest -= matrix[row][column] * solution[column];
        }
        solution[row] = matrix[row][row] == 0 ? 0 : rest / matrix[row][row];
    }
    return solution;
}

}  // namespace ndsim::calibrate
