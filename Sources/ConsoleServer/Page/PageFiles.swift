// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The files of the page, by the names that it has for them.
enum PageFiles {
    static let index = PackageResources.index_html

    static let all: [String: [UInt8]] = [
        "api.js": PackageResources.api_js,
        "app.js": PackageResources.app_js,
        "chart.js": PackageResources.chart_js,
        "console.css": PackageResources.console_css,
        "data-views.css": PackageResources.data_views_css,
        "dom.js": PackageResources.dom_js,
        "forecast.js": PackageResources.forecast_js,
        "format.js": PackageResources.format_js,
        "icon.svg": PackageResources.icon_svg,
        "keys.js": PackageResources.keys_js,
        "project-views.css": PackageResources.project_views_css,
        "route.js": PackageResources.route_js,
        "rows.js": PackageResources.rows_js,
        "theme.js": PackageResources.theme_js,
        "totals.js": PackageResources.totals_js,
        "usage-views.css": PackageResources.usage_views_css,
        "usage.js": PackageResources.usage_js,
        "views.js": PackageResources.views_js,
    ]
}
