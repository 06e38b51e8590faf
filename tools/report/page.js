// Draws the figures that have data as charts, which can be zoomed and asked for values.
// SPDX-License-Identifier: Apache-2.0
(function () {
  'use strict';

  var together = {};  // charts over one time, by the name of their group

  function number(value) {
    return String(Number(value.toPrecision(9)));
  }

  // One row for each x, with a cell for each series. A step holds its value up to the next one, and the last one on.
  function rows_of(data) {
    if (data.series.length === 1) {
      var points = data.series[0].points;
      // A curve that begins with a step up from 0 is what it is above it.
      return points.length > 1 && points[0][0] === points[1][0] ? points.slice(1) : points;
    }
    var cells = new Map();
    data.series.forEach(function (series, i) {
      series.points.forEach(function (point) {
        if (!cells.has(point[0])) {
          cells.set(point[0], new Array(data.series.length).fill(null));
        }
        cells.get(point[0])[i] = point[1];
      });
    });
    var rows = Array.from(cells, function (entry) { return [entry[0]].concat(entry[1]); });
    rows.sort(function (a, b) { return a[0] - b[0]; });
    if (data.steps) {
      data.series.forEach(function (series, i) {
        for (var row = 1; row < rows.length; row++) {
          if (rows[row][i + 1] === null) {
            rows[row][i + 1] = rows[row - 1][i + 1];
          }
        }
      });
    }
    return rows;
  }

  function has_numbers(data) {
    return !data.x.names.length || data.x.places.length > 0;
  }

  function x_text(data, x) {
    return has_numbers(data) ? number(x) : data.x.names[Math.round(x)];
  }

  // " Gbps" for "goodput [Gbps]"; the whole label if it has no unit.
  function unit_of(label) {
    var unit = /\[(.*)\]$/.exec(label);
    return label ? ' ' + (unit ? unit[1] : label) : '';
  }

  // The line above a chart: what the curves are, and their values where the pointer is.
  function values_in(data, values) {
    return function (legend) {
      values.textContent = '';
      function add(text, look) {
        var span = document.createElement('span');
        if (look) {
          var line = document.createElement('i');
          line.style.borderTopColor = look.colour;
          line.style.borderTopStyle = look.dashes === '2 2' ? 'dotted' : look.dashes ? 'dashed' : 'solid';
          span.appendChild(line);
        }
        span.appendChild(document.createTextNode(text));
        values.appendChild(span);
      }
      var pointed = legend.x !== undefined;
      if (pointed) {
        add(data.x.label + ': ' + x_text(data, legend.x));
      }
      data.series.forEach(function (series, i) {
        var y = legend.series[i] && legend.series[i].y;
        var known = pointed && y !== undefined && y !== null && !isNaN(y);
        add(series.name + (known ? ': ' + number(y) + unit_of(data.y.label) : ''), series);
      });
      return values.innerHTML;
    };
  }

  // A colour of the page's style, which depends on what the reader's system prefers.
  function shade(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function draw_marks(data) {
    return function (canvas, area, chart) {
      var labels = 0;
      data.marks.forEach(function (mark) {
        var x = area.x + chart.toPercentXCoord(mark.x) * area.w;
        if (x < area.x || x > area.x + area.w) {
          return;
        }
        canvas.save();
        canvas.strokeStyle = canvas.fillStyle = shade('--text');
        canvas.setLineDash([3, 3]);
        canvas.beginPath();
        canvas.moveTo(x, area.y);
        canvas.lineTo(x, area.y + area.h);
        canvas.stroke();
        canvas.font = 'bold 11px sans-serif';
        var left = x + canvas.measureText(mark.label).width + 10 > area.x + area.w;
        canvas.textAlign = left ? 'right' : 'left';
        canvas.fillText(mark.label, x + (left ? -6 : 6), area.y + 14 + 16 * labels);
        labels += mark.label ? 1 : 0;
        canvas.setLineDash([]);
        canvas.beginPath();
        canvas.arc(x, chart.toDomYCoord(mark.y), 4, 0, 2 * Math.PI);
        canvas.fill();
        canvas.restore();
      });
    };
  }

  function x_axis(data) {
    var axis = { logscale: data.x.logarithmic, pixelsPerLabel: 70, axisLabelWidth: has_numbers(data) ? 48 : 80 };
    if (data.x.names.length) {
      axis.ticker = function () {
        return data.x.names.map(function (name, i) {
          return { v: has_numbers(data) ? data.x.places[i] : i, label: name };
        });
      };
    }
    return axis;
  }

  function zoom_together(group, chart) {
    (together[group] = together[group] || []).push(chart);
    var busy = false;
    chart.updateOptions({
      drawCallback: function () {
        if (busy) {
          return;
        }
        busy = true;
        var range = chart.xAxisRange();
        together[group].forEach(function (other) {
          var at = other.xAxisRange();
          if (other !== chart && (at[0] !== range[0] || at[1] !== range[1])) {
            other.updateOptions({ dateWindow: range });
          }
        });
        busy = false;
      }
    });
  }

  function options_of(data, values) {
    var options = {
      labels: ['x'].concat(data.series.map(function (series) { return series.name; })),
      colors: data.series.map(function (series) { return series.colour; }),
      series: {},
      stepPlot: data.steps,
      connectSeparatedPoints: true,
      drawPoints: data.points,
      pointSize: 3,
      strokeWidth: 1.5,
      highlightCircleSize: 4,
      legend: 'always',
      labelsDiv: values,
      legendFormatter: values_in(data, values),
      xlabel: data.x.label,
      ylabel: data.y.label,
      includeZero: true,
      rightGap: 26,
      axes: { x: x_axis(data), y: { axisLabelWidth: 56, pixelsPerLabel: 24 } },
      axisLineColor: shade('--rule'),
      gridLineColor: shade('--grid'),
      underlayCallback: draw_marks(data)
    };
    if (!has_numbers(data)) {
      options.dateWindow = [-0.3, data.x.names.length - 0.7];
    } else if (data.x.range) {
      options.dateWindow = data.x.range;
    }
    data.series.forEach(function (series) {
      var look = options.series[series.name] = {};
      if (series.dashes) {
        look.strokePattern = series.dashes.split(' ').map(Number);
      }
      if (series.bound) {
        look.drawPoints = false;
      }
    });
    return options;
  }

  var charts = [];
  document.querySelectorAll('figure').forEach(function (figure) {
    var script = figure.querySelector('script.data');
    if (!script) {
      return;
    }
    var data = JSON.parse(script.textContent);
    var values = document.createElement('div');
    var place = document.createElement('div');
    values.className = 'values';
    place.className = 'chart';
    place.style.height = data.height + 'px';
    figure.insertBefore(place, script);
    figure.insertBefore(values, place);
    figure.chart = new Dygraph(place, rows_of(data), options_of(data, values));
    if (data.group) {
      zoom_together(data.group, figure.chart);
    }
    charts.push(figure.chart);
  });
  function draw_again() {
    charts.forEach(function (chart) {
      chart.updateOptions({ axisLineColor: shade('--rule'), gridLineColor: shade('--grid') });
    });
  }

  // Paper is white. (A canvas that changes its size now would be empty on paper; the style makes charts smaller.)
  function print(begins) {
    document.documentElement.classList.toggle('printing', begins);
    draw_again();
  }

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw_again);
  addEventListener('beforeprint', print.bind(null, true));
  addEventListener('afterprint', print.bind(null, false));
  if (charts.length > 0) {
    var hint = document.createElement('p');
    hint.className = 'note hint';
    hint.textContent = 'Curves: point at one for its values; drag to zoom, with shift to move, double click to see all.';
    document.querySelector('nav').after(hint);
  }
})();
