// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A pool of two tokens, as the router sees it
interface IPair {
    function reserves() external view returns (uint256 reserve0, uint256 reserve1);
    function mint(address to) external returns (uint256 shares);
    function burn(address to) external returns (uint256 amount0, uint256 amount1);
    function swap(uint256 amount0Out, uint256 amount1Out, address to) external;
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}
