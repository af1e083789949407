// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Pair} from "./Pair.sol";

/// @title The factory of pools
/// @notice Makes at most one pool for two tokens, at an address that the two tokens determine.
contract PairFactory {
    event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count);

    /// @notice A pool needs two different tokens.
    error SameToken(address token);

    /// @notice The pool exists already.
    error PairExists(address pair);

    /// @notice All pools, in the order of their making.
    address[] public allPairs;

    /// @notice The pool of two tokens, in either order; zero if there is none.
    mapping(address => mapping(address => address)) public getPair;

    /// @notice Makes the pool of two tokens.
    function createPair(address tokenA, address tokenB) external returns (address pair) {
        if (tokenA == tokenB) revert SameToken(tokenA);
        pair = getPair[tokenA][tokenB];
        if (pair != address(0)) revert PairExists(pair);

        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        bytes32 salt = keccak256(abi.encodePacked(token0, token1));
        pair = address(new Pair{salt: salt}(token0, token1));

        getPair[token0][token1] = pair;
        getPair[token1][token0] = pair;
        allPairs.push(pair);
        emit PairCreated(token0, token1, pair, allPairs.length);
    }

    /// @notice How many pools there are.
    function allPairsLength() external view returns (uint256) {
        return allPairs.length;
    }
}
